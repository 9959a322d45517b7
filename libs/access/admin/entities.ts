import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import type { Environment } from '../../kernel/index.js';
import type { KeyType } from '../../context/scopes.js';
import type { SiteSettings } from '../events.js';
import { siteKeysProjection } from '../sites/key-projection.js';
import type { GrantedScope } from '../../context/scopes.js';
import { siteStateProjection } from '../sites/site-projection.js';

/*
 * The operator's lists as TypeORM sees them. Each maps the view of a read model. The projection makes the tables and
 * writes the rows; a repository only reads.
 */

@Entity({ schema: 'read', name: siteStateProjection.name, synchronize: false })
export class ListedSite {
  @PrimaryColumn('text') site!: string;
  @Column('boolean') registered!: boolean;
  @Column('json') settings!: SiteSettings;
  @OneToMany(() => ListedKey, (key) => key.ofSite) keys!: Relation<ListedKey[]>;
}

@Entity({ schema: 'read', name: siteKeysProjection.name, synchronize: false })
export class ListedKey {
  @PrimaryColumn('text') site!: string;
  @PrimaryColumn('text', { name: 'key_id' }) keyId!: string;
  @ManyToOne(() => ListedSite, (site) => site.keys)
  @JoinColumn({ name: 'site' })
  ofSite!: Relation<ListedSite>;
  @Column('integer') place!: number;
  @Column('text') type!: KeyType;
  @Column('text') env!: Environment;
  @Column('text') name!: string;
  @Column('text') last4!: string;
  @Column('jsonb') scopes!: GrantedScope[];
  @Column('jsonb', { name: 'allowed_origins', nullable: true }) allowedOrigins!: string[] | null;
  @Column('timestamptz', { name: 'issued_at' }) issuedAt!: Date;
  @Column('text', { name: 'created_by', nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('text', { name: 'rotated_from', nullable: true }) rotatedFrom!: string | null;
  @Column('text', { name: 'replaced_by', nullable: true }) replacedBy!: string | null;
  @Column('timestamptz', { name: 'rotated_at', nullable: true }) rotatedAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
}
