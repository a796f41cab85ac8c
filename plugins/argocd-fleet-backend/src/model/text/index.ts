// Text that clusters and tenants write: how much of it is kept, and what of it is shown. Everything that the cache or a
// resource source takes in goes through this room, and so does every finding.

export { shownRepositoryUrl } from './repositoryUrl';
export { cutText, MAX_TEXT_BYTES, shownText, visibleText } from './shownText';
export { mapTexts } from './mapTexts';
