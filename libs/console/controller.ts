import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ACCESS_RULES, DemoSite, OperatorSessions, type AccessRules } from '../access/index.js';
import { PUBLIC_URL } from '../engines/config/public-url.js';
import { bundleManifest, readBundle } from '../http/bundled-files.js';
import { Operation } from '../http/contract/operation.js';
import { MadeOnce } from '../http/docs/made-once.js';
import { prefixOf } from '../http/docs/page.js';
import { refused } from '../http/errors/refused.js';
import { sendPage } from '../pages/send.js';
import { consolePage, type ConsoleFiles } from './page.js';
import { previewPage } from './preview.js';

/** Injection token of whether the console is served. */
export const CONSOLE_IS_ON = Symbol('ConsoleIsOn');

/**
 * Addresses of screens are made of names and ids alone. Which of them are screens, the app knows: it shows what a person
 * may have mistyped with its navigation around it.
 */
const PLAIN_PATH = /^[\w./-]+$/;

/** The one page of the console, at every address of a screen, and the files that it loads. */
@Controller('console')
export class ConsoleController {
  private readonly names = bundleManifest('console') as unknown as ConsoleFiles;
  private readonly files = readBundle('console', [this.names.script, this.names.style]);
  private readonly made = new MadeOnce();
  private readonly previewScript = bundleManifest('elements')['preview']!;
  private readonly prefix: string;

  constructor(
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
    private readonly demo: DemoSite,
    private readonly sessions: OperatorSessions,
    @Inject(CONSOLE_IS_ON) private readonly isOn: boolean,
    @Inject(PUBLIC_URL) publicUrl: string,
  ) {
    this.prefix = prefixOf(publicUrl);
  }

  @Get()
  @Operation('getConsole')
  start(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.send(request, response);
  }

  @Get('assets/:file')
  @Operation('getConsoleFile')
  file(@Param('file') name: string, @Req() request: Request, @Res() response: Response): void {
    const file = this.isOn ? this.files.get(name) : undefined;
    if (!file) throw refused('route_not_found', 'There is no such file in this release of the console.');
    this.made.send(request, response, name, file.type, () => file.content, true);
  }

  @Get('preview')
  @Operation('getConsolePreview')
  preview(@Res() response: Response): void {
    if (!this.isOn) throw refused('route_not_found', 'The console is switched off (ASSENT_CONSOLE).');
    sendPage(response, previewPage(`${this.prefix}/elements/v1/${this.previewScript}`), 200);
  }

  @Get('*screen')
  @Operation('getConsoleScreen')
  screen(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!PLAIN_PATH.test(request.path))
      throw refused('route_not_found', 'No screen of the console has such an address.');
    return this.send(request, response);
  }

  private async send(request: Request, response: Response): Promise<void> {
    if (!this.isOn) throw refused('route_not_found', 'The console is switched off (ASSENT_CONSOLE).');
    const { signIn } = this.rules;
    const about = {
      prefix: this.prefix,
      signIn: [...(signIn?.oidc ? (['oidc'] as const) : []), 'token' as const],
      hasDemo: this.demo.for(request) !== null,
      isSignedIn: (await this.sessions.of(request.headers)) !== null,
    };
    sendPage(response, consolePage(about, this.names), 200);
  }
}
