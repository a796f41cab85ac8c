export { startGitServer, type GitServer } from './gitServer';
export type {
  FileChange,
  GitRepositories,
  RepositoryName,
} from './gitRepositories';
