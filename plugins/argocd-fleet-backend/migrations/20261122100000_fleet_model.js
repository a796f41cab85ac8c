// @ts-check

/**
 * The state of every Application of every hub, and its transitions.
 *
 * `at`, `recorded_at`, `changed_at`, `first_seen`, `updated_at` and `gone_at` are milliseconds since the epoch; times
 * that a cluster reports are stored as reported. Values from a hub are text without a limit: one value that the
 * database rejects would fail the whole batch.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('fleet_hubs', table => {
    table.comment('The writer of the records of each hub');
    table.string('hub').primary();
    table
      .bigInteger('epoch')
      .notNullable()
      .comment('Incremented by each new writer; only the last one may write');
  });
  await knex.schema.createTable('fleet_applications', table => {
    table.comment('Each Application of a hub as it is on its cluster');
    table.bigIncrements('id');
    table.string('hub').notNullable();
    table.string('namespace').notNullable();
    table.string('name').notNullable();
    table.text('application_set').comment('In the same namespace');
    table.text('cluster').notNullable();
    table.string('delivery_model').notNullable();
    table.string('health').notNullable();
    table.string('sync').notNullable();
    table.string('phase');
    table.text('revision');
    table.text('error').comment('The first error, in one line');
    table
      .boolean('stale')
      .notNullable()
      .comment('The agent of the cluster stopped reporting');
    table.text('stale_since');
    table.text('since');
    table.text('status_at');
    table.text('operation_started_at');
    table.text('details').notNullable().comment('JSON: the rest of its row');
    table.bigInteger('details_fingerprint').notNullable();
    table
      .bigInteger('sequence')
      .notNullable()
      .comment('Of its last transition');
    table.bigInteger('changed_at').notNullable().comment('Its last transition');
    table.bigInteger('first_seen').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.bigInteger('gone_at').comment('When it was deleted from the hub');
    table.unique(['hub', 'namespace', 'name'], {
      indexName: 'fleet_applications_name_uniq',
    });
    table.index(['gone_at'], 'fleet_applications_gone_at_idx');
  });
  await knex.schema.createTable('fleet_transitions', table => {
    table.comment('The transitions of each Application, in order');
    table.bigIncrements('id');
    table
      .bigInteger('application_id')
      .notNullable()
      .references('id')
      .inTable('fleet_applications')
      .onDelete('CASCADE');
    table.bigInteger('sequence').notNullable().comment('From 1, without gaps');
    table.bigInteger('at').notNullable();
    table.bigInteger('recorded_at').notNullable();
    table.string('health').notNullable();
    table.string('sync').notNullable();
    table.string('phase');
    table.text('revision');
    table.text('error');
    table.string('hub').notNullable();
    table.text('cluster').notNullable();
    table.string('namespace').notNullable();
    table.text('application_set');
    table.unique(['application_id', 'sequence'], {
      indexName: 'fleet_transitions_sequence_uniq',
    });
    table.index(
      ['application_id', 'at', 'id'],
      'fleet_transitions_application_idx',
    );
    table.index(
      ['hub', 'namespace', 'application_set', 'at', 'id'],
      'fleet_transitions_set_idx',
    );
    table.index(
      ['hub', 'cluster', 'at', 'id'],
      'fleet_transitions_cluster_idx',
    );
    table.index(['at'], 'fleet_transitions_at_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('fleet_transitions');
  await knex.schema.dropTable('fleet_applications');
  await knex.schema.dropTable('fleet_hubs');
};
