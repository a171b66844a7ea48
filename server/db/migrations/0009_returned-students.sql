ALTER TABLE "students" ADD COLUMN "returned_on" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "previously_left_on" date;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_returned" CHECK (num_nonnulls("students"."returned_on", "students"."previously_left_on") in (0, 2));