import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.js';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export function addDoctorCommand(program: Command, { show, env, release }: Surroundings): void {
  program
    .command('doctor')
    .description('examine what the installation stands on, and say what to do; exit code 1 where something fails')
    .option('--live', 'examine also whether it is ready for people: the checklist of going live')
    .action(async ({ live = false }: { live?: boolean }) => {
      const [{ examine }, { NOT_LOOKED_AT }] = await Promise.all([
        import('../../doctor/doctor.js'),
        import('../../doctor/doctor-live.js'),
      ]);
      const findings = await examine(await release(), env, live);
      const count = (verdict: string): number => findings.filter((finding) => finding.verdict === verdict).length;
      const summary = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
      show.result({ summary, findings }, () => {
        show.table(
          ['CHECK', '', 'FOUND'],
          findings.map(({ check, verdict, found }) => [check, show.coloured(COLOURS[verdict], verdict), found]),
        );
        for (const { check, verdict, fix } of findings)
          if (fix !== null) show.line(`\n${show.paint(COLOURS[verdict], `${verdict}: ${check}`)}\n${fix}`);
        if (live) show.line(`\nNot looked at:\n${NOT_LOOKED_AT.map((each) => `  ${each}`).join('\n')}`);
        show.line(`\n${summary.ok} ok, ${summary.warn} to look at, ${summary.fail} failed`);
      });
      if (summary.fail > 0) show.exitCode = 1;
    });
}
