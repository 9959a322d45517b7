import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { StatisticsController } from './controller.js';
import { CountedConsent } from './counted.js';
import { GetConsentStatisticsHandler } from './get-consent-statistics.handler.js';

@Module({
  imports: [CqrsModule],
  controllers: [StatisticsController],
  providers: [CountedConsent, GetConsentStatisticsHandler],
})
export class StatisticsReadModule {}
