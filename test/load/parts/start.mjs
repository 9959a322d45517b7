import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { caughtUp, startAssent } from '../assent.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';
import { multiply } from '../fill.mjs';
import { cpuUs } from '../processes.mjs';
import { number } from '../report.mjs';
import { decide } from '../stream-operations.mjs';

const FIRST_ANSWER_S_MAX = 3;
const DECISIONS = 5;
/** Stored by one statement. */
const SUBJECTS_AT_ONCE = 50_000;

/**
 * How long after its start a process answers its first request with a key, with that many events in the log. The read
 * models are up to date, as after any restart.
 */
export async function measureStart({ folder }, options, progress, measured) {
  const { events, starts } = options;
  const database = await startDatabase(join(folder, 'database'));
  const data = join(folder, 'assent');
  let assent = null;
  try {
    assent = await startAssent(data, { databaseUrl: database.url });
    const { keys } = assent;
    const client = new Client(assent.url, keys.sk);
    const ref = 'visitor_id:0123456789abcdef0123456789abcdef';
    let answer;
    for (let n = 0; n < DECISIONS; n++) answer = await decide(client, ref, n);
    client.close();
    const stream = `subject-bench.test.${answer.body.subject.id}`;
    await assent.stop();
    assent = null;

    const [{ each }] = await database.query('select count(*)::int as each from log.events where stream = $1', [stream]);
    const subjects = Math.ceil(events / each);
    for (let made = 0; made < subjects; made += SUBJECTS_AT_ONCE) {
      await multiply(database, stream, 1 + made, Math.min(SUBJECTS_AT_ONCE, subjects - made));
      const [{ n }] = await database.query('select max(position) + 1 as n from log.events');
      progress.say(`${number(Number(n))} of ${number(events)} events are in the log`);
    }
    await database.query('vacuum analyze log.events');
    assent = await startAssent(data, { databaseUrl: database.url, keys });
    let said = -Infinity;
    await caughtUp(assent, (at, of) => {
      if (performance.now() - said < 5_000) return;
      said = performance.now();
      progress.say(`the read models are at ${number(at)} of ${number(of)} events`);
    });
    await assent.stop();

    progress.expect(starts);
    const seconds = [];
    const processorSeconds = [];
    for (let i = 0; i < starts; i++) {
      assent = await startAssent(data, { databaseUrl: database.url, keys });
      seconds.push((await firstAnswer(assent, ref)) / 1000);
      processorSeconds.push(cpuUs([assent.pid]) / 1e6);
      progress.step(
        'first answer',
        `${number(seconds.at(-1))} s, ${number(processorSeconds.at(-1))} s of processor time`,
      );
      await assent.stop();
    }
    assent = null;
    measured([
      {
        name: 'start',
        title: `start to first answer, ${number(events)} events`,
        value: seconds.toSorted((a, b) => a - b)[Math.floor((starts - 1) / 2)],
        unit: 's',
        floor: { most: FIRST_ANSWER_S_MAX },
        detail: { seconds, processorSeconds },
      },
    ]);
  } finally {
    await assent?.stop();
    await database.stop();
    rmSync(join(folder, 'database'), { recursive: true, force: true });
  }
}

/** Milliseconds from the start of the process until it answers what a page asks. */
async function firstAnswer({ url, child, keys, startedAt }, ref) {
  const path = `${url}/v1/subjects/${encodeURIComponent(ref)}/consent`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Assent ended with ${child.exitCode} before it answered`);
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${keys.pk}` } }).catch(() => null);
    if (answer?.ok) return performance.now() - startedAt;
    await pause(10);
  }
}
