import type { Command } from 'commander';
import type { Surroundings } from '../surroundings.js';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export function addDoctorCommand(program: Command, { show, env, release }: Surroundings): void {
  program
    .command('doctor')
    .description('examine what the installation stands on, and say what to do; exit code 1 where something fails')
    .action(async () => {
      const { examine } = await import('../../doctor/doctor.js');
      const findings = await examine(await release(), env);
      const count = (verdict: string): number => findings.filter((finding) => finding.verdict === verdict).length;
      const summary = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
      show.result({ summary, findings }, () => {
        show.table(
          ['CHECK', '', 'FOUND'],
          findings.map(({ check, verdict, found }) => [check, show.coloured(COLOURS[verdict], verdict), found]),
        );
        for (const { check, verdict, fix } of findings)
          if (fix !== null) show.line(`\n${show.paint(COLOURS[verdict], `${verdict}: ${check}`)}\n${fix}`);
        show.line(`\n${summary.ok} ok, ${summary.warn} to look at, ${summary.fail} failed`);
      });
      if (summary.fail > 0) show.exitCode = 1;
    });
}
