package topic

import (
	"fmt"
	"strings"
)

// CheckNamespace returns an error if this is not the name of a namespace, such as acme/staging.
func CheckNamespace(namespace string) error {
	tenant, ns, ok := strings.Cut(namespace, "/")
	if !ok || tenant == "" || ns == "" || strings.Contains(ns, "/") {
		return fmt.Errorf("the namespace %q is not TENANT/NAMESPACE", namespace)
	}
	if err := Check(InNamespace(namespace, "x")); err != nil {
		return fmt.Errorf("the namespace %q: %w", namespace, err)
	}
	return nil
}

// Namespace returns the tenant and namespace of a topic, such as public/default.
func Namespace(name string) string {
	_, rest, _ := strings.Cut(Full(name), "://")
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 3 {
		return rest
	}
	return parts[0] + "/" + parts[1]
}
