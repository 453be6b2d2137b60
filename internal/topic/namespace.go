package topic

import (
	"fmt"
	"strings"
)

// InNamespace returns the topic with the same name in another namespace, such as acme/staging. Its domain stays.
func InNamespace(name, namespace string) (string, error) {
	tenant, ns, ok := strings.Cut(namespace, "/")
	if !ok || tenant == "" || ns == "" || strings.Contains(ns, "/") {
		return "", fmt.Errorf("the namespace %q is not TENANT/NAMESPACE", namespace)
	}
	domain, _, _ := strings.Cut(Full(name), "://")
	moved := domain + "://" + namespace + "/" + LastSegment(name)
	if err := Check(moved); err != nil {
		return "", fmt.Errorf("the namespace %q: %w", namespace, err)
	}
	return moved, nil
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
