export interface Signal<T> { value: T; }
export function signal<T>(first: T): Signal<T>;
export function computed<T>(make: () => T): { readonly value: T };
export function effect(run: () => void): () => void;
