import { Global, Module } from '@nestjs/common';
import { PRESENTATIONS } from './presentations.js';
import { SignedPresentations } from './signed-presentations.js';

/** What was shown, stated where it is read and checked where choices are written. */
@Global()
@Module({ providers: [{ provide: PRESENTATIONS, useClass: SignedPresentations }], exports: [PRESENTATIONS] })
export class PresentationsModule {}
