// Package gitfs reads files from the history of the git repository that encloses a folder.
//
// It runs the git command: a repository is what git takes for one, with its worktrees, alternates, partial clones and
// object formats, and no library follows git in all of them. The command only reads. It fetches nothing, asks nobody
// and runs no program that the repository configures.
//
// The content of the folder may come from a stranger's pull request, so it must not choose the history that is read.
// Only the repository whose working tree contains the folder counts: files of another repository that are committed
// next to the catalog have no effect, nor do replacement objects and variables such as GIT_DIR.
package gitfs
