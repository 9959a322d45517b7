import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the journal shows besides events: sign-ins and ends of sessions, and where it finds looks at persons. */
export class CreateSignIns1764360000001 implements MigrationInterface {
  name = 'CreateSignIns1764360000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table write.operator_sign_in (
        id text collate "C" primary key,
        at timestamptz not null,
        action text not null,
        operator text collate "C",
        way text,
        refusal text,
        times int not null default 1,
        last_at timestamptz not null,
        target text,
        session text,
        request_id text
      );
      create index operator_sign_in_at on write.operator_sign_in (at, id);
      create index operator_sign_in_of on write.operator_sign_in (operator, at, id);
      comment on table write.operator_sign_in is 'Sign-ins of operators, ends of their sessions, and refused sign-ins counted by the hour. Kept as long as the access log.';
      create index subject_looks on write.subject_reads (first_at) where ${LOOKS};
      create index subject_looks_by on write.subject_reads (reader, first_at) where ${LOOKS};
      create index subject_looks_in on write.subject_reads (site, first_at) where ${LOOKS};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index write.subject_looks; drop index write.subject_looks_by; drop index write.subject_looks_in;
      drop table write.operator_sign_in;
    `);
  }
}

/** As in the statements of operator-looks.ts. */
const LOOKS = `reader like 'operator:%' and reader not like '%@%' and operation <> 'revealIdentifiers'`;
