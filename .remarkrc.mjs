// The check of links in Markdown files: files, folders and headings must exist. Addresses outside of the repository are
// only parsed, since a test that needs other people's servers fails with them.
import remarkGfm from 'remark-gfm';
import remarkValidateLinks from 'remark-validate-links';
import { visit } from 'unist-util-visit';

function remarkValidAddresses() {
  return (tree, file) =>
    visit(tree, ['link', 'image', 'definition'], node => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(node.url) && !isAddress(node.url)) {
        file.message(`${node.url} is not an address`, node);
      }
    });
}

function isAddress(url) {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return (
    protocol === 'mailto:' ||
    (/^https?:$/.test(protocol) && /\.|^localhost$/.test(hostname))
  );
}

export default {
  plugins: [
    remarkGfm,
    // The repository has no address by which links to it could be recognized.
    [remarkValidateLinks, { repository: false }],
    remarkValidAddresses,
  ],
};
