import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { MadeOnce } from '../../http/docs/made-once.js';
import { prefixOf } from '../../http/docs/page.js';
import { Operation } from '../../http/contract/operation.js';
import { policyPage } from './page.js';

/** Nothing runs, nothing is loaded from elsewhere, no other site frames it. */
const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    res.setHeader('Content-Security-Policy', CSP);
    this.made.send(req, res, 'table', 'text/html; charset=utf-8', () => policyPage(this.prefix));
  }
}
