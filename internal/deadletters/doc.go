// Package deadletters lists, shows, sends again and drops what is on a dead-letter topic.
//
//	letter.go   what one dead letter is, and whether it can be sent again
//	filter.go   which ones are meant
//	group.go    errors that differ in numbers only are one group
//	box.go      reading: what waits, by the subscription's position in the admin API; nothing is touched
//	journal.go  the lock, and what was about to be sent when a run was killed
//	run.go      sending again and dropping, window by window
//	sender.go   one producer, confirmed sends
//
// What is sent again is acknowledged by its id, after the broker has confirmed it: no other dead letter is received,
// moved or sent. This differs from RED-1 and RED-4, which drain the topic and publish what was not selected back to it.
package deadletters
