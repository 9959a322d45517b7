import { Module } from '@nestjs/common';
import { AuditBundlesController } from './bundles.controller.js';

/** Operators ask for audit bundles here. */
@Module({ controllers: [AuditBundlesController] })
export class AuditBundlesModule {}
