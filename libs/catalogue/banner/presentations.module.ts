import { Global, Module } from '@nestjs/common';
import { PRESENTATIONS } from './presentations.js';
import { SignedPresentations } from './signed-presentations.js';

/** Provides Presentations: reads state them, writes of choices check them. */
@Global()
@Module({ providers: [{ provide: PRESENTATIONS, useClass: SignedPresentations }], exports: [PRESENTATIONS] })
export class PresentationsModule {}
