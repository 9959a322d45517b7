import { Injectable } from '@nestjs/common';
import type { DataRequestType, RequestEffect } from '../../events.js';
import { ArchiveEffect } from './archive-effect.js';
import { DecisionsEffect } from './decisions-effect.js';
import type { Effect, PlannedEffect } from './effect.js';
import { RectificationEffect } from './rectification-effect.js';
import { ErasureEffect, RestrictionEffect } from './subject-effects.js';

/** This service itself has nothing to do: the operator answers. */
const NO_EFFECT: Effect = {
  plan: (): Promise<PlannedEffect> => Promise.resolve({ kind: 'NONE' }),
  carryOut: (): Promise<RequestEffect> => Promise.resolve({ kind: 'NONE' }),
};

/** What completing a request does, by its type. */
@Injectable()
export class Effects {
  private readonly byType: Readonly<Record<DataRequestType, Effect>>;

  constructor(
    archive: ArchiveEffect,
    decisions: DecisionsEffect,
    erasure: ErasureEffect,
    restriction: RestrictionEffect,
    rectification: RectificationEffect,
  ) {
    this.byType = {
      ACCESS: archive,
      PORTABILITY: archive,
      ERASURE: erasure,
      RECTIFICATION: rectification,
      RESTRICTION: restriction,
      OBJECTION: decisions,
      WITHDRAW_ALL: decisions,
      OPT_OUT_SALE_SHARE: decisions,
      OPT_OUT_TARGETED_ADS: decisions,
      OPT_OUT_PROFILING: decisions,
      LIMIT_SENSITIVE: decisions,
      KNOW_CATEGORIES: NO_EFFECT,
      APPEAL: NO_EFFECT,
      COMPLAINT: NO_EFFECT,
    };
  }

  of(type: DataRequestType): Effect {
    return this.byType[type];
  }
}
