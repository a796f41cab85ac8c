// @ts-check

/**
 * The UID of the ApplicationSet of each transition: whoever takes the name of a deleted one must not read its history.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.alterTable('fleet_transitions', table => {
    table
      .text('application_set_uid')
      .comment('Unknown in transitions that are older than this column');
    // Readers who may see some ApplicationSets only: which of them a cluster's timeline has.
    table.index(
      ['hub', 'cluster', 'namespace', 'application_set'],
      'fleet_transitions_cluster_sets_idx',
    );
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.alterTable('fleet_transitions', table => {
    table.dropIndex([], 'fleet_transitions_cluster_sets_idx');
  });
  // Raw SQL: on SQLite, knex would recreate the table.
  await knex.raw('alter table ?? drop column ??', [
    'fleet_transitions',
    'application_set_uid',
  ]);
};
