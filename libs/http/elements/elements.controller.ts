import { Controller, Get, Module, Param, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBundle } from '../bundled-files.js';
import { Operation } from '../contract/operation.js';
import { MadeOnce } from '../docs/made-once.js';
import { refused } from '../errors/refused.js';
import { themeOf } from './theme.js';

/** A page loads the script and up to eight parts of it. Counted apart from what the page asks of the service. */
const FILE_LIMIT = { perSecond: 60, burst: 120 } as const;

/** The name by which pages include the script, and the one that says which release of it is served. */
const SCRIPT = 'assent.js';
const MANIFEST = 'manifest.json';
/** Files whose name stays the same when their content changes. */
const STABLE = [SCRIPT, `${SCRIPT}.map`, MANIFEST];

/** Most style sheets with a theme that are kept: each site has one. */
const THEMED_MAX = 200;

/** For the operation table: pages of every origin include them, without a key. */
export const ELEMENTS_OPERATIONS = [
  {
    id: 'getElementsFile',
    method: 'GET',
    path: '/elements/v1/{file}',
    anyOrigin: true,
    limited: false,
    perAddress: FILE_LIMIT,
  },
] as const;

/** The banner that pages include by one line, and the parts that it loads. */
@Controller('elements/v1')
export class ElementsController {
  private readonly files = readBundle('elements', [SCRIPT, MANIFEST]);
  private readonly made = new MadeOnce();
  private readonly themed = new MadeOnce(THEMED_MAX);

  @Get(':file')
  @Operation('getElementsFile')
  file(@Param('file') name: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    const file = this.files.get(name);
    if (!file)
      throw refused('route_not_found', 'There is no such file in this release; /elements/v1/manifest.json names it.');
    res.setHeader('Access-Control-Allow-Origin', '*');
    // Pages of other origins include it, whatever they demand of what they include.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const theme = name.endsWith('.css') ? themeOf(req.url!) : '';
    const isForEver = !STABLE.includes(name);
    if (theme === '') return this.made.send(req, res, name, file.type, () => file.content, isForEver);
    this.themed.send(req, res, name + theme, file.type, () => file.content + theme, isForEver);
  }
}

@Module({ controllers: [ElementsController] })
export class ElementsModule {}
