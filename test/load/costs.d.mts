export interface Measured {
  value?: number | null;
  cpuUs?: number | null;
  postgresCpuUs?: number | null;
  nodeCpuUs?: number | null;
  bareUs?: number;
  least?: { cpuUs: number; postgresCpuUs: number };
}
export function costsTable(results: ReadonlyMap<string, Measured>): { title: string; head: string[]; rows: string[][] };
