"""Types of the routes' answers, for the OpenAPI document and the page's types (`companion_api/web/js/answers.d.ts`).
They describe answers without changing them; tests hold every answer against them, with nothing missing and nothing
extra."""
