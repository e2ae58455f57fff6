"""What the routes answer, in types: the OpenAPI document shows them, and the page's own types are made of that
(`companion_api/web/js/answers.d.ts`). They describe and never change what is sent; every answer that a test gets is
held against them, with nothing missing and nothing too much."""
