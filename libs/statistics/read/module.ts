import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SiteStatisticsController, StatisticsController } from './controller.js';
import { CountedConsent } from './counted.js';
import { GetConsentStatisticsHandler } from './get-consent-statistics.handler.js';

@Module({ imports: [CqrsModule], providers: [CountedConsent, GetConsentStatisticsHandler] })
class CountedModule {}

@Module({ imports: [CqrsModule, CountedModule], controllers: [StatisticsController] })
export class StatisticsReadModule {}

/** For operators. The router sends their paths to the role that writes. */
@Module({ imports: [CqrsModule, CountedModule], controllers: [SiteStatisticsController] })
export class SiteStatisticsModule {}
