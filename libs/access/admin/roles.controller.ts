import { Controller, Get, Inject } from '@nestjs/common';
import { Operation } from '../../http/contract/operation.js';
import { ACCESS_RULES, type AccessRules } from '../access-rules.js';
import { operationsByRole } from '../callers/roles.js';
import type { RoleListDto } from './roles.operations.js';

@Controller('admin/v1/roles')
export class RolesController {
  private readonly answer: RoleListDto;

  constructor(@Inject(ACCESS_RULES) { operations }: AccessRules) {
    this.answer = { data: operationsByRole(operations.all) };
  }

  @Get()
  @Operation('listRoles')
  list(): RoleListDto {
    return this.answer;
  }
}
