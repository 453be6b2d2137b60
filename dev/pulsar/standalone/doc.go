// Package standalone starts and stops a real Apache Pulsar broker for tests and for development. Maven resolves the
// broker's jars once, and Java 17 or later runs them, with the storage embedded in the same process. Only jars whose
// checksum is known are run.
//
//	broker, err := standalone.Start(ctx, standalone.Options{})
//	if errors.Is(err, standalone.ErrUnavailable) {
//		t.Skip(err)
//	}
//	...
//	defer broker.Stop(ctx)
//	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: broker.ServiceURL()})
//
// A broker listens on 127.0.0.1 only, keeps everything in one folder, and does not outlive the process that started it,
// however that process ends.
//
// The broker is tuned for tests: it starts in seconds, checks for due delayed messages every 100 ms, stores
// acknowledgments at once, and does not wait for the disk. Its data survives [Broker.Kill], but not a power failure.
//
// Linux and macOS are supported. Elsewhere Start returns [ErrUnavailable].
package standalone

// Version is the Apache Pulsar release that is run.
const Version = "4.0.7"
