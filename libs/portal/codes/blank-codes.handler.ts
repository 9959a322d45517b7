import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock } from '../../kernel/index.js';
import { CodeRows } from './code-rows.js';

/** Forget what expired codes were for. */
export class BlankCodes extends Command<void> {}

@CommandHandler(BlankCodes)
export class BlankCodesHandler implements ICommandHandler<BlankCodes> {
  constructor(
    private readonly rows: CodeRows,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  execute(): Promise<void> {
    return this.rows.blankOver(this.clock());
  }
}
