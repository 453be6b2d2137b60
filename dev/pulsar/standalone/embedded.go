package standalone

import _ "embed"

// pomXML names the broker's jars for Maven.
//
//go:embed pom.xml
var pomXML []byte

// log4jConfig sends the broker's log to its standard output.
//
//go:embed log4j2.xml
var log4jConfig []byte
