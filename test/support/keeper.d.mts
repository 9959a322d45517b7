export function keep(folder: string): { watch(pid: number | null): void; clean(): Promise<void> };
