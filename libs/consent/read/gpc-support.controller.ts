import { Controller, Get, Header } from '@nestjs/common';
import { Operation } from '../../http/contract/operation.js';
import { GPC_SUPPORT, type GpcSupportDto } from './gpc-support.operations.js';

@Controller('.well-known')
export class GpcSupportController {
  @Get('gpc.json')
  @Operation('getGpcSupport')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header('Access-Control-Allow-Origin', '*')
  support(): GpcSupportDto {
    return GPC_SUPPORT;
  }
}
