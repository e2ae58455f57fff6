export function useState<T>(first: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useEffect(effect: () => void | (() => void), on?: unknown[]): void;
export function useRef<T>(first: T): { current: T };
