import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ConfirmationIndex } from './confirmation-index.js';
import { LINKS_AT, PreferenceLinks } from './links.js';

/** Makes and reads the links that mails carry, for writing and reading. */
@Global()
@Module({})
export class PreferenceLinksModule {
  static with({ publicUrl }: { publicUrl: string }): DynamicModule {
    const providers = [{ provide: LINKS_AT, useValue: publicUrl }, PreferenceLinks, ConfirmationIndex];
    return { module: PreferenceLinksModule, providers, exports: [PreferenceLinks, ConfirmationIndex] };
  }
}
