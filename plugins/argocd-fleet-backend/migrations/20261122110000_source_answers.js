// @ts-check

/**
 * The last answers of resource sources, so that every replica has them, also after a restart.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('source_rounds', table => {
    table.comment('The last round of each source for each hub');
    table.string('hub').notNullable();
    table.string('source').notNullable();
    table
      .bigInteger('revision')
      .notNullable()
      .comment('Incremented by each round; a round must follow the last one');
    table.text('asked_at').notNullable().comment('RFC 3339');
    table
      .text('late')
      .notNullable()
      .comment('JSON: clusters without a complete answer');
    table.text('findings').notNullable().comment('JSON');
    table.primary(['hub', 'source']);
  });
  await knex.schema.createTable('source_answers', table => {
    table.comment('The answer of each source for each Application');
    table.string('hub').notNullable();
    table.string('source').notNullable();
    table.string('application', 511).notNullable().comment('Of the hub');
    table.text('cluster').notNullable();
    table
      .bigInteger('revision')
      .notNullable()
      .comment('Of the round that changed it');
    table.text('changed_at').comment('RFC 3339; none for a first answer');
    table.text('details').comment('JSON; none for a deleted answer');
    table.primary(['hub', 'source', 'application']);
    table.index(['hub', 'source', 'revision'], 'source_answers_revision_idx');
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('source_answers');
  await knex.schema.dropTable('source_rounds');
};
