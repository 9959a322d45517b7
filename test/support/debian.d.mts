export function programAt(name: string): string | null;
export function ensure(name: string, packageName?: string): Promise<string>;
