import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { VendorListModule } from '../vendor-list/module.js';
import { FrameworksController } from './controller.js';
import { FrameworkAnswers } from './framework-answers.js';
import { FrameworkReader } from './framework-reader.js';
import { GetAdditionalConsentHandler, GetGoogleConsentModeHandler } from './get-google-consent.handler.js';
import { GetTcStringHandler } from './get-tc-string.handler.js';

/** Strings of IAB TCF and Google. Exports what other strings are made of too. */
@Module({
  imports: [CqrsModule, VendorListModule],
  controllers: [FrameworksController],
  providers: [
    FrameworkReader,
    FrameworkAnswers,
    GetTcStringHandler,
    GetGoogleConsentModeHandler,
    GetAdditionalConsentHandler,
  ],
  exports: [FrameworkReader, FrameworkAnswers],
})
export class FrameworksReadModule {}
