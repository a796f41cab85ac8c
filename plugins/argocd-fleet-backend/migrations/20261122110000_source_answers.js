// @ts-check

/**
 * The last answers of resource sources, so that every replica has them, also after a restart.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('source_rounds', table => {
    table.comment('The last round of questions to each source about each hub');
    table.string('hub').notNullable();
    table.string('source').notNullable();
    table
      .bigInteger('revision')
      .notNullable()
      .comment('Raised by each round; only who knows the last one writes');
    table.text('asked_at').notNullable().comment('RFC 3339');
    table
      .text('late')
      .notNullable()
      .comment('JSON: clusters without a whole answer');
    table.text('findings').notNullable().comment('JSON');
    table.primary(['hub', 'source']);
  });
  await knex.schema.createTable('source_answers', table => {
    table.comment('What each source said of each Application');
    table.string('hub').notNullable();
    table.string('source').notNullable();
    table.string('application', 511).notNullable().comment('Of the hub');
    table.text('cluster').notNullable();
    table
      .bigInteger('revision')
      .notNullable()
      .comment('Of the round that brought it');
    table.text('changed_at').comment('RFC 3339; when it was not the first');
    table.text('details').comment('JSON; none for one that is gone');
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
