import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type Position, CLOCK, type Clock, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { templateInForce } from '../template/template.js';
import { TEMPLATE_VIEW_VERSION, templateView, type TemplateView } from '../template/template-view.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

export class GetTemplate extends Query<TemplateAnswer> {
  constructor(
    readonly scope: Scope,
    readonly locales: readonly string[],
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface TemplateAnswer {
  etag: string;
  template: TemplateView;
}

@QueryHandler(GetTemplate)
export class GetTemplateHandler implements IQueryHandler<GetTemplate> {
  constructor(
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ scope, locales, after }: GetTemplate): Promise<TemplateAnswer> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const at = this.clock();
    const template = templateView(templateInForce(this.catalogue.of(scope), at), locales);
    return {
      etag: weakETag(
        `t${TEMPLATE_VIEW_VERSION}.${this.catalogue.tag(scope, at)}-${template.contentHash.slice('sha256:'.length, 23)}`,
      ),
      template,
    };
  }
}
