package standalone

import (
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// settings returns the broker's configuration: what a small broker on one machine needs, overridden by extra.
func settings(p ports, extra map[string]string) map[string]string {
	s := map[string]string{
		"clusterName":       "standalone",
		"brokerServicePort": strconv.Itoa(p.broker),
		"webServicePort":    strconv.Itoa(p.http),
		"bindAddress":       loopback,
		"advertisedAddress": loopback,
		// The broker's own client resolves names from UDP sockets, which would be open on all addresses.
		"brokerClient_dnsLookupBindAddress": loopback,

		// One storage node, so one copy.
		"managedLedgerDefaultEnsembleSize": "1",
		"managedLedgerDefaultWriteQuorum":  "1",
		"managedLedgerDefaultAckQuorum":    "1",

		"ledgerStorageClass":                "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage",
		"dbStorage_writeCacheMaxSizeMb":     "32",
		"dbStorage_readAheadCacheMaxSizeMb": "16",
		"dbStorage_rocksDB_blockCacheSize":  strconv.Itoa(8 << 20),

		// The storage must accept what the broker accepts: 5 MiB and its frame.
		"nettyMaxFrameSizeBytes": strconv.Itoa(5<<20 + 10<<10),

		// A killed process loses nothing that was written. Only a power failure would, and no test needs to survive one.
		"journalSyncData": "false",
		// A developer's nearly full disk must not make the storage read-only.
		"diskUsageThreshold":     "0.99",
		"diskUsageWarnThreshold": "0.99",

		// Tests of a client rely on these.
		"allowAutoTopicCreation":                 "true",
		"brokerDeleteInactiveTopicsEnabled":      "false",
		"acknowledgmentAtBatchIndexLevelEnabled": "true",
		"delayedDeliveryTickTimeMillis":          "100",
		// Acknowledgments are stored at once rather than every second, so that a settled message is still settled after a
		// kill.
		"managedLedgerDefaultMarkDeleteRateLimit": "0",

		// Not needed, and each costs time at the start or while idle.
		"loadBalancerEnabled":             "false",
		"functionsWorkerEnabled":          "false",
		"webSocketServiceEnabled":         "false",
		"defaultNumberOfNamespaceBundles": "1",
		// Event loops linger for a quarter of this at the end.
		"brokerShutdownTimeoutMs": "1000",

		// A handful of threads: there are few clients.
		"numIOThreads":                     "2",
		"numExecutorThreadPoolSize":        "2",
		"numHttpServerThreads":             "4",
		"numOrderedExecutorThreads":        "2",
		"numCacheExecutorThreadPoolSize":   "2",
		"bookkeeperClientNumWorkerThreads": "2",
		"bookkeeperClientNumIoThreads":     "2",
		"managedLedgerNumSchedulerThreads": "2",
	}
	// The storage node listens on a free port of its choice. Its in-process transport needs no port, but loses large
	// entries when they are read back from storage.
	if name := loopbackInterface(); name != "" {
		s["listeningInterface"] = name
		s["allowLoopback"] = "true"
	}
	maps.Copy(s, extra)
	return s
}

// loopbackInterface returns the name of the loopback network interface, or "".
func loopbackInterface() string {
	interfaces, err := net.Interfaces()
	if err != nil {
		return ""
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagLoopback != 0 {
			return i.Name
		}
	}
	return ""
}

// settingName matches the configuration keys of Pulsar and BookKeeper.
var settingName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.]*$`)

// fixedSettings cannot be overridden: Options has a field for them, or they keep the broker on this machine.
var fixedSettings = []string{
	"advertisedAddress", "advertisedListeners", "bindAddress", "bindAddresses",
	"brokerServicePort", "webServicePort",
}

// checkSettings rejects names and values that would not reach the broker unchanged.
func checkSettings(extra map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if !settingName.MatchString(name) {
			return fmt.Errorf("setting %q: a name is letters, digits, underscores and dots", name)
		}
		if slices.Contains(fixedSettings, name) {
			return fmt.Errorf("setting %s: decided by the package, use the ports of Options", name)
		}
		if strings.ContainsFunc(extra[name], unicode.IsControl) {
			return fmt.Errorf("setting %s: the value %q holds a control character", name, extra[name])
		}
	}
	return nil
}

// renderProperties writes settings as a Java properties file, sorted by name.
func renderProperties(s map[string]string) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		b.WriteString(name)
		b.WriteByte('=')
		writePropertyValue(&b, s[name])
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// writePropertyValue escapes characters with a special meaning in a properties file. The output is ASCII, so it does
// not depend on the reader's charset.
func writePropertyValue(b *strings.Builder, value string) {
	for i, r := range value {
		switch {
		case r == '\\', r == ' ' && i == 0:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x7f:
			b.WriteRune(r)
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(b, `\u%04x`, unit)
			}
		}
	}
}
