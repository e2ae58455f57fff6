# The table server with weights and page inside. The data folder is a volume; a USB camera is passed on as a device:
#   docker build -t companion .
#   docker run --network host -v companion:/data --device /dev/video0 companion --camera 0
# With the host's network the printed address is the one that phones reach (docs/INSTALL.md).
FROM python:3.12-slim-bookworm AS wheel
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --groups video companion \
    && install -d -o companion -g companion /data
COPY --from=wheel /wheels /wheels
COPY constraints.txt /wheels/
RUN pip install --no-cache-dir --constraint /wheels/constraints.txt \
        "$(echo /wheels/piecepack_companion-*.whl)[postgres]" \
    && rm -rf /wheels
USER companion
ENV COMPANION_DATA=/data
VOLUME /data
EXPOSE 8470 8471
HEALTHCHECK --interval=30s --timeout=5s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8470/api/games', timeout=4)"]
ENTRYPOINT ["companion", "serve"]
