export function programAt(name: string): string | null;
export function ensure(name: string, ...packages: string[]): Promise<string>;
