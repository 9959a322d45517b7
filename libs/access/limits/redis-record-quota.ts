import { luaScript, type ScriptRunner } from '../../engines/cache/redis.js';
import { MemoryDailyCounts, type DailyCounts } from './record-quota.js';

/** Longer than a day, so that a process whose clock is behind still finds the count. */
const KEPT_MS = 26 * 60 * 60 * 1000;

const ADD = luaScript(`
local counted = tonumber(redis.call('GET', KEYS[1]) or '0')
if counted + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], counted + ARGV[1], 'PX', ARGV[3])
return 1`);

const GIVE_BACK = luaScript(`
local counted = tonumber(redis.call('GET', KEYS[1]) or '0')
if counted >= tonumber(ARGV[1]) then redis.call('DECRBY', KEYS[1], ARGV[1]) end`);

/**
 * One count for all processes. Counted in memory too: while Redis is away the same quota holds for each process. `epoch`
 * names the log, so that a new log begins at 0.
 */
export class RedisDailyCounts implements DailyCounts {
  private readonly memory = new MemoryDailyCounts();

  constructor(
    private readonly redis: ScriptRunner,
    private readonly epoch: string,
  ) {}

  add(day: string, subject: string, records: number, most: number): boolean | Promise<boolean> {
    if (!this.memory.add(day, subject, records, most)) return false;
    if (!this.redis.available) return true;
    return this.redis
      .run(ADD, [this.keyOf(day, subject)], [String(records), String(most), String(KEPT_MS)])
      .then((added) => {
        if (added === 0) this.memory.giveBack(day, subject, records);
        return added === 1;
      })
      .catch(() => true);
  }

  giveBack(day: string, subject: string, records: number): void {
    this.memory.giveBack(day, subject, records);
    if (this.redis.available)
      this.redis.run(GIVE_BACK, [this.keyOf(day, subject)], [String(records)]).catch(() => undefined);
  }

  private keyOf(day: string, subject: string): string {
    return `assent:records:${this.epoch}:${subject}:${day}`;
  }
}
