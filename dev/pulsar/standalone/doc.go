// Package standalone starts and stops a real Apache Pulsar broker for tests
// and for people who develop against one. It needs no Docker: Maven resolves
// the broker's jars once, Java 17 or later runs them with their storage
// embedded in the same process. Where Java or Maven is missing and Docker
// answers, the image of the same version is used instead.
//
//	broker, err := standalone.Start(ctx, standalone.Options{})
//	if errors.Is(err, standalone.ErrUnavailable) {
//		t.Skip(err)
//	}
//	...
//	defer broker.Stop(ctx)
//	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: broker.ServiceURL()})
//
// A broker listens on 127.0.0.1 only, keeps everything in one folder and does
// not outlive the process that started it, however that process ends.
//
// The broker is tuned for tests: it starts in seconds, looks for due delayed
// messages every 100 ms, writes acknowledgments through at once and does not
// wait for the disk. What it stores survives [Broker.Kill], which ends the
// process; it would not survive a power cut.
//
// Linux and macOS are supported. Elsewhere Start says so with [ErrUnavailable].
package standalone

// Version is the Apache Pulsar release that is run.
const Version = "4.0.7"
