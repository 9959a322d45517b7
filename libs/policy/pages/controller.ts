import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { MadeOnce } from '../../http/docs/made-once.js';
import { DOCS_CSP, prefixOf } from '../../http/docs/page.js';
import { Operation } from '../../http/contract/operation.js';
import { policyPage } from './page.js';

@Controller('docs/policy')
export class PolicyTableController {
  private readonly made = new MadeOnce();
  private readonly prefix: string;

  constructor(@Inject(PUBLIC_URL) publicUrl: string) {
    this.prefix = prefixOf(publicUrl);
  }

  @Get()
  @Operation('getPolicyTable')
  table(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    res.setHeader('Content-Security-Policy', DOCS_CSP);
    this.made.send(req, res, 'table', 'text/html; charset=utf-8', () => policyPage(this.prefix));
  }
}
