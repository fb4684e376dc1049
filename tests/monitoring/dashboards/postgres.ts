import type { Dashboard } from './dashboard.ts';

/** Postgres, as postgres_exporter and node_exporter see it. */
export const postgres: Dashboard = {
  uid: 'postgres',
  title: 'Postgres',
  description: 'The primary and its standbys by postgres_exporter, their disks by node_exporter.',
  rows: {
    'Primary and standbys': [
      {
        title: 'Servers',
        description: 'Zero where the exporter of a server reaches it no more; which of them are standbys.',
        unit: 'short',
        lines: {
          '{{instance}} takes connections': 'min by (instance) (pg_up)',
          '{{instance}} is a standby': 'max by (instance) (pg_replication_is_replica)',
        },
      },
      {
        title: 'Lag of standbys',
        description: 'What a promotion would lose, as time.',
        unit: 's',
        redFrom: 30,
        lines: { '{{instance}}': 'max by (instance) (pg_replication_lag_seconds)' },
      },
      {
        title: 'Log that standbys lack',
        description: 'What a primary has sent and a standby has not replayed yet.',
        unit: 'bytes',
        lines: {
          '{{instance}} {{application_name}}':
            'max by (instance, application_name) (pg_stat_replication_pg_wal_lsn_diff)',
        },
      },
      {
        title: 'Archive',
        description: 'Files of the log that were archived, and attempts that failed.',
        unit: 'ops',
        lines: {
          '{{instance}} archived': 'sum by (instance) (rate(pg_stat_archiver_archived_count[5m]))',
          '{{instance}} failed': 'sum by (instance) (rate(pg_stat_archiver_failed_count[5m]))',
        },
      },
      {
        title: 'Free part of disks',
        description: 'Below a tenth a page comes.',
        unit: 'percentunit',
        lines: {
          '{{instance}} {{mountpoint}}':
            'min by (instance, mountpoint) (node_filesystem_avail_bytes / node_filesystem_size_bytes)',
        },
      },
      {
        title: 'Size of databases',
        description: 'It grows with the messages and events that retention keeps.',
        unit: 'bytes',
        lines: { '{{instance}} {{datname}}': 'max by (instance, datname) (pg_database_size_bytes)' },
      },
    ],
    Work: [
      {
        title: 'Connections',
        description: 'By state, with the number that the server allows.',
        unit: 'short',
        lines: {
          '{{instance}} {{state}}': 'sum by (instance, state) (pg_stat_activity_count)',
          '{{instance}} allowed': 'max by (instance) (pg_settings_max_connections)',
        },
      },
      {
        title: 'Longest transaction',
        description: 'What stays open for long keeps streams and the clean-up of rows back.',
        unit: 's',
        lines: { '{{instance}} {{state}}': 'max by (instance, state) (pg_stat_activity_max_tx_duration)' },
      },
      {
        title: 'Transactions',
        description: 'Those that were committed, and those that were taken back.',
        unit: 'ops',
        lines: {
          '{{instance}} committed': 'sum by (instance) (rate(pg_stat_database_xact_commit[5m]))',
          '{{instance}} taken back': 'sum by (instance) (rate(pg_stat_database_xact_rollback[5m]))',
        },
      },
      {
        title: 'Pages found in memory',
        description: 'The share of reads that needed no disk; near 1 while the working set fits.',
        unit: 'percentunit',
        lines: {
          '{{instance}}':
            'sum by (instance) (rate(pg_stat_database_blks_hit[5m])) / (sum by (instance) (rate(pg_stat_database_blks_hit[5m])) + sum by (instance) (rate(pg_stat_database_blks_read[5m])))',
        },
      },
      {
        title: 'Locks',
        description: 'By mode; AccessExclusiveLock for more than a moment is a migration or a person.',
        unit: 'short',
        lines: { '{{instance}} {{mode}}': 'sum by (instance, mode) (pg_locks_count)' },
      },
      {
        title: 'Deadlocks',
        description: 'Statements that Postgres ended because they waited for each other.',
        unit: 'ops',
        lines: { '{{instance}}': 'sum by (instance) (rate(pg_stat_database_deadlocks[5m]))' },
      },
    ],
  },
};
