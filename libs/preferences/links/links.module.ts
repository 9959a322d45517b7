import { Global, Module } from '@nestjs/common';
import { ConfirmationIndex } from '../confirmation-index.js';
import { PreferenceLinks } from './links.js';

/** Makes and reads the links that mails carry, for writing and reading. */
@Global()
@Module({ providers: [PreferenceLinks, ConfirmationIndex], exports: [PreferenceLinks, ConfirmationIndex] })
export class PreferenceLinksModule {}
