import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ROLES } from '../../context/role.js';
import { DemoSite } from '../../access/index.js';
import { CONSOLE_IS_ON } from '../../console/context.js';
import { LogUnavailable } from '../../log/port.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { prefersPage } from '../../http/accept.js';
import { prefixOf } from '../../http/docs/page.js';
import { startPage } from '../../http/docs/start-page.js';
import { Operation } from '../../http/contract/operation.js';
import { isForwarded } from '../../http/this-machine.js';
import { needsNoToken } from '../../deliveries/mail/outbox-pages.js';
import type { ApplicationOptions } from '../application-options.js';
import { ReadinessProbe } from './readiness.js';
import type { ServiceDto } from './start.operations.js';
import { VERSION } from '../version.js';

/** Injection token of what the start page has to know of the process. */
export const ABOUT_PROCESS = Symbol('AboutProcess');
export type AboutProcess = Pick<ApplicationOptions, 'roles' | 'publicUrl' | 'mail' | 'vendorLists'>;

/** `/`: a page for people, JSON for programs. It stands in every process, whatever its roles. */
@Controller()
export class StartController {
  constructor(
    @Inject(ABOUT_PROCESS) private readonly about: AboutProcess,
    private readonly readiness: ReadinessProbe,
    @Inject(CONSOLE_IS_ON) private readonly hasConsole: boolean,
    private readonly demo: DemoSite,
  ) {}

  @Get()
  @Operation('getService')
  async start(@Req() request: Request, @Res() response: Response): Promise<void> {
    const isReady = await this.isReady();
    response.vary('Accept');
    if (prefersPage(request.headers.accept)) {
      const { html, headers } = this.page(request, isReady);
      response.set(headers as Record<string, string>).end(html);
    } else response.set('Cache-Control', 'no-store').json(this.service(isReady));
  }

  private page(request: Request, isReady: boolean): ReturnType<typeof startPage> {
    const { roles, publicUrl, mail } = this.about;
    const direct = !isForwarded(request);
    return startPage({
      prefix: prefixOf(publicUrl),
      version: VERSION,
      isReady,
      roles: direct && roles.length < ROLES.length ? roles : null,
      showsConsole: direct && this.hasConsole && roles.includes('write-api'),
      demo: this.demo.for(request),
      showsProbes: direct,
      showsOutbox: roles.includes('read-api') && needsNoToken({ readers: mail.outbox }, request),
    });
  }

  private service(isReady: boolean): ServiceDto {
    const { publicUrl } = this.about;
    return {
      name: 'Assent',
      version: VERSION,
      status: isReady ? 'ready' : 'unavailable',
      links: {
        docs: `${publicUrl}/docs`,
        guides: `${publicUrl}/docs/guides`,
        reference: `${publicUrl}/docs/reference`,
        errors: `${publicUrl}/docs/errors`,
        openapi: `${publicUrl}/openapi.json`,
      },
    };
  }

  /** A page that says so is more use than an error that says the same. */
  private async isReady(): Promise<boolean> {
    try {
      return (await this.readiness.look()).waiting.length === 0;
    } catch (error) {
      if (error instanceof DependencyUnavailable || error instanceof LogUnavailable) return false;
      throw error;
    }
  }
}
