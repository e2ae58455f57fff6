// What the page uses of it, for the type check.
export function h(type: unknown, props: object | null, ...children: unknown[]): unknown;
export function render(node: unknown, into: Element): void;
