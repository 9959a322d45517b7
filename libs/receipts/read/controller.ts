import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ifNoneMatchHits, weakETag } from '../../http/answers/conditional.js';
import { Operation } from '../../http/contract/operation.js';
import { SigningKeys } from '../signing-keys.js';
import type { KeySetDto } from './dto.js';

@Controller('.well-known')
export class KeySetController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Operation('getKeySet')
  async keySet(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<KeySetDto | undefined> {
    const keys = await this.keys.published();
    const etag = weakETag(
      createHash('sha256')
        .update(keys.map(({ kid, revokedAt = '' }) => `${kid} ${revokedAt}`).join())
        .digest('base64url'),
    );
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    // A page of any origin may fetch a receipt to verify it.
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) {
      response.setHeader('Content-Type', 'application/jwk-set+json; charset=utf-8');
      return { keys };
    }
    response.status(304);
    return undefined;
  }
}
