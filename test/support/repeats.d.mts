import type { Repeats } from './plain/repeats.mjs';

export const ON_IDLE_MAX: number;
export const SHARE_MAX: number;
export function judgeRepeats(bySpec: Record<string, Repeats>): { lines: string[]; fault: string | null };
