import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { KnownSubjects } from '../known-subjects.js';
import { SimulateCatalogueHandler } from './simulate-catalogue.handler.js';
import { SimulationController } from './simulation.controller.js';

/** What publishing would come to; stands beside where operators publish. */
@Module({
  imports: [CqrsModule],
  controllers: [SimulationController],
  providers: [KnownSubjects, SimulateCatalogueHandler],
})
export class CatalogueSimulationModule {}
